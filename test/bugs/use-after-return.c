// The parser hands out a pointer to its own local token; the next call writes over it.
// expect: kind=segmentation-fault line=fail name=`token->text[0]`
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <string.h>

struct token {
  const char *text;
  size_t length;
  char spelled[16];
};

struct parser {
  const char *at;
  struct token *current;
};

__attribute__((noinline)) static void next(struct parser *parser) {
  struct token token = {parser->at, 0, ""};
  while (*parser->at && *parser->at != ' ')
    token.spelled[token.length++ % 16] = *parser->at++;
  parser->current = &token; // cause
}

__attribute__((noinline)) static unsigned hash(const char *text) {
  char padded[64];
  memset(padded, 0xa5, sizeof padded);
  snprintf(padded + 56, 8, "%s", text);
  unsigned value = 5381;
  for (size_t i = 0; i < sizeof padded; i++)
    value = value * 33 + (unsigned char)padded[i];
  return value;
}

static int first(const struct token *token) {
  return token->text[0]; // fail
}

int main(void) {
  struct parser parser = {"let x", NULL};
  next(&parser);
  unsigned mixed = hash("let");
  printf("%u %c\n", mixed, first(parser.current));
  return 0;
}
