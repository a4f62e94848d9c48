// A parser looks at the next token of a scanner, takes it out, and goes on to look at it. The
// scanner's queue has given its memory back by then, as it does after some tokens.
// expect: kind=segmentation-fault line=fail
// layout: {"heap": {"fence": true}}
// cause: line=taken
// locate: line=taken and=popped
#include <cstdio>
#include <queue>
#include <string>

struct Token {
  int kind;
  std::string text;
};

class Scanner {
public:
  explicit Scanner(const char *text) : text_(text) {}

  bool isAtEnd() {
    fill();
    return tokens_.empty();
  }

  Token &peek() {
    fill();
    return tokens_.front();
  }

  void take() {
    fill();
    if (!tokens_.empty())
      tokens_.pop(); // popped
  }

private:
  void fill() {
    while (tokens_.size() < 2 && *text_) {
      Token token{*text_ == '!' ? 1 : 2, ""};
      do
        token.text += *text_++;
      while (*text_ && *text_ != ' ' && *text_ != '!');
      tokens_.push(token);
    }
  }

  const char *text_;
  std::queue<Token> tokens_;
};

static int kindOf(const Token &token) {
  return token.kind; // fail
}

class Parser {
public:
  explicit Parser(Scanner &scanner) : scanner_(scanner) {}

  int parse() {
    int tags = 0;
    while (!scanner_.isAtEnd())
      tags += parseOne() == 1;
    return tags;
  }

private:
  int parseOne() {
    Token &token = scanner_.peek();
    scanner_.take(); // taken: before the last use of it
    return kindOf(token);
  }

  Scanner &scanner_;
};

int main() {
  Scanner scanner("a !b c !d e !f g !h i !j k !l m !n o !p q !r s !t u !v w !x y !z");
  Parser parser(scanner);
  std::printf("%d tags\n", parser.parse());
}
