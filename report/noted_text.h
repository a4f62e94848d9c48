// Text in which places stand out and notes follow, coloured on a terminal.
#ifndef CULPRIT_REPORT_NOTED_TEXT_H
#define CULPRIT_REPORT_NOTED_TEXT_H

#include <string>

namespace culprit {

class NotedText {
protected:
  explicit NotedText(bool hasColour) : hasColour_(hasColour) {}

  void note(const std::string &what) {
    paint("\033[1;36m", "note: ");
    text_ += what + '\n';
  }
  void bold(const std::string &what) { paint("\033[1m", what); }
  void paint(const char *colour, const std::string &what) {
    text_ += hasColour_ ? colour + what + "\033[0m" : what;
  }

  std::string text_;

private:
  bool hasColour_;
};

} // namespace culprit
#endif
