/* How a test program says what its addresses should be called; the test reads standard output.
   `say ADDRESS TEXT`, and from hook.c `block ADDRESS SIZE CALLERS` and `free ADDRESS CALLERS`. */
#ifndef SAY_H
#define SAY_H
#ifdef __cplusplus
extern "C" {
#endif
void say(const volatile void *address, const char *text);
/* The address of a thread-local variable, from which the test works out where their block is. */
void sayThreadLocal(const volatile void *address, const char *name);
/* Waits until the test has read memory. */
void finish(void);
#ifdef __cplusplus
}
#endif
/* An expression is called as it is written. */
#define SAY(expression) say((const volatile void *)&(expression), "`" #expression "`")
#endif
