// `culprit help`: the man page and shell completions, made from the parser that also prints --help,
// so that none of them can tell another story.
#include "cli/command.h"
#include "support/diagnostics.h"
#include "support/output.h"

#include <fmt/format.h>

namespace culprit {
namespace {

std::string roff(std::string text) {
  std::string out;
  bool lineStart = true;
  for (char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (lineStart && (c == '.' || c == '\''))
      out += std::string("\\&") + c;
    else
      out += c;
    lineStart = c == '\n';
  }
  return out;
}

std::string manOptions(const CLI::App &app) {
  std::string text;
  for (const CLI::Option *option : app.get_options())
    text += fmt::format(".TP\n.B {}{}\n{}\n", roff(option->get_name(false, true)),
                        option->get_type_size() > 0 && !option->get_type_name().empty()
                            ? " \\fI" + roff(option->get_type_name()) + "\\fR"
                            : "",
                        roff(option->get_description()));
  return text;
}

std::string manPage(const CLI::App &app) {
  std::string text =
      ".TH CULPRIT 1\n.SH NAME\nculprit \\- find the root cause of failures in C and "
      "C++ programs\n.SH SYNOPSIS\n.B culprit\n.I COMMAND\n[\\fIOPTIONS\\fR] "
      "[\\-\\- \\fIPROGRAM ARGUMENTS\\fR]\n.SH DESCRIPTION\n";
  text += roff(app.get_description()) + "\n.PP\n.nf\n" + roff(app.get_footer()) + "\n.fi\n";
  text += ".SH COMMANDS\n";
  for (const CLI::App *sub : app.get_subcommands({}))
    text += fmt::format(".SS culprit {}\n{}\n.PP\n.nf\n{}\n.fi\n{}", roff(sub->get_name()),
                        roff(sub->get_description()), roff(sub->get_footer()), manOptions(*sub));
  return text;
}

std::string optionWords(const CLI::App &app) {
  std::string words;
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      words += " --" + name;
  return words;
}

std::string bashCompletion(const CLI::App &app) {
  std::string cases;
  std::string names;
  for (const CLI::App *sub : app.get_subcommands({})) {
    names += " " + sub->get_name();
    cases += fmt::format("    {}) words='{}' ;;\n", sub->get_name(), optionWords(*sub).substr(1));
  }
  return fmt::format("_culprit() {{\n"
                     "  local word=${{COMP_WORDS[COMP_CWORD]}} words=''\n"
                     "  local i\n"
                     "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
                     "    if [[ ${{COMP_WORDS[i]}} == -- ]]; then\n"
                     "      COMPREPLY=($(compgen -c -- \"$word\") $(compgen -f -- \"$word\"))\n"
                     "      return\n"
                     "    fi\n"
                     "  done\n"
                     "  if ((COMP_CWORD == 1)); then\n"
                     "    COMPREPLY=($(compgen -W '{} --help --version' -- \"$word\"))\n"
                     "    return\n"
                     "  fi\n"
                     "  case ${{COMP_WORDS[1]}} in\n{}"
                     "  esac\n"
                     "  if [[ $word == -* ]]; then\n"
                     "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                     "  else\n"
                     "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
                     "  fi\n"
                     "}}\n"
                     "complete -o filenames -F _culprit culprit\n",
                     names.substr(1), cases);
}

std::string zshCompletion(const CLI::App &app) {
  return "autoload -U bashcompinit && bashcompinit\n" + bashCompletion(app);
}

std::string fishCompletion(const CLI::App &app) {
  std::string text;
  for (const CLI::App *sub : app.get_subcommands({})) {
    text += fmt::format("complete -c culprit -n __fish_use_subcommand -a {} -d '{}'\n",
                        sub->get_name(), sub->get_description());
    for (const CLI::Option *option : sub->get_options())
      for (const std::string &name : option->get_lnames())
        text += fmt::format("complete -c culprit -n '__fish_seen_subcommand_from {}' -l {}\n",
                            sub->get_name(), name);
  }
  return text;
}

class Help : public Command {
public:
  const char *name() const override { return "help"; }
  const char *summary() const override {
    return "print the help, the man page or shell completions";
  }
  const char *details() const override {
    return "For bash:  source <(culprit help --completion bash)\n"
           "For zsh:   source <(culprit help --completion zsh)\n"
           "For fish:  culprit help --completion fish | source";
  }
  void addOptions(CLI::App &app) override {
    app.add_option("command", command_, "print the help of this command")->type_name("COMMAND");
    app.add_flag("--man", man_, "print the man page");
    app.add_option("--completion", shell_, "print completions for bash, zsh or fish")
        ->type_name("SHELL")
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  }

  int run(const CommonOptions &) override {
    CommonOptions unused;
    std::unique_ptr<CLI::App> app = makeParser(unused);
    if (man_)
      writeOut(manPage(*app));
    else if (shell_ == "bash")
      writeOut(bashCompletion(*app));
    else if (shell_ == "zsh")
      writeOut(zshCompletion(*app));
    else if (shell_ == "fish")
      writeOut(fishCompletion(*app));
    else if (command_.empty())
      writeOut(app->help());
    else
      writeOut(helpOf(*app));
    return 0;
  }

private:
  std::string helpOf(const CLI::App &app) const {
    for (const CLI::App *sub : app.get_subcommands({}))
      if (sub->get_name() == command_)
        return sub->help("culprit");
    failUsage("unknown command '{}'; try 'culprit --help'", command_);
  }

  std::string command_;
  bool man_ = false;
  std::string shell_;
};

Help help;
const CommandRegistration registration(help);

} // namespace
} // namespace culprit
