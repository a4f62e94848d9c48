// Records of files: users, groups, shadows, mounts, networks, shells.
#include "libc.h"
#include <grp.h>
#include <mntent.h>
#include <netdb.h>
#include <pwd.h>
#include <shadow.h>
#include <stdint.h>
#include <unistd.h>

extern FILE *__setmntent(const char *, const char *);
extern int __endmntent(FILE *);
extern struct mntent *__getmntent_r(FILE *, struct mntent *, char *, int);

static char buffer[500];
static const char *const members[] = {"one", "two", NULL};

static void user(const struct passwd *p) {
  if (p) printf("%s:%s:%u:%u:%s:%s:%s\n", p->pw_name, p->pw_passwd, p->pw_uid, p->pw_gid, p->pw_gecos, p->pw_dir, p->pw_shell);
  else printf("none errno %d\n", errno);
}
static void group(const struct group *g) {
  if (!g) { printf("none errno %d\n", errno); return; }
  printf("%s:%s:%u", g->gr_name, g->gr_passwd, g->gr_gid);
  for (char **each = g->gr_mem; *each; ++each) printf(" %s", *each);
  printf("\n");
}
static void shadow(const struct spwd *s) {
  if (s) printf("%s:%s:%ld:%ld:%ld:%ld\n", s->sp_namp, s->sp_pwdp, s->sp_lstchg, s->sp_min, s->sp_max, s->sp_warn);
  else printf("none errno %d\n", errno);
}
static void mount(const struct mntent *m) {
  if (m) printf("%s %s %s %s %d %d %s\n", m->mnt_fsname, m->mnt_dir, m->mnt_type, m->mnt_opts, m->mnt_freq, m->mnt_passno, hasmntopt(m, "ro") ? "ro" : "rw");
  else printf("no mount\n");
}
static void names(char *name, char **aliases) {
  printf("%s", name);
  for (; *aliases; ++aliases) printf(" %s", *aliases);
  printf("\n");
}

static void written(void) {
  FILE *file = fopen("users", "w+");
  NUMBER(CALL(putpwent)(&(struct passwd){"name", "x", 12, 13, "Full, Name", "/home/name", "/bin/sh"}, file));
  NUMBER(CALL(putpwent)(&(struct passwd){"other", "x", 14, 15, "", "/", ""}, file)); NUMBER(CALL(putpwent)(&(struct passwd){NULL, "x", 1, 1, "", "", ""}, file));
  fputs("broken line\n# comment\n\nlast:x:1:2:g:d:s\n", file);
  rewind(file); user(CALL(fgetpwent)(file));
  struct passwd p, *pp = NULL; errno = 0;
  NUMBER(CALL(fgetpwent_r)(file, &p, buffer, sizeof buffer, &pp)); user(pp); user(CALL(fgetpwent)(file)); errno = 0; user(CALL(fgetpwent)(file)); rewind(file); NUMBER(CALL(fgetpwent_r)(file, &p, buffer, 5, &pp)); fclose(file);
  file = fopen("groups", "w+");
  NUMBER(CALL(putgrent)(&(struct group){"team", "x", 50, (char **)members}, file)); NUMBER(CALL(putgrent)(&(struct group){"empty", "", 51, (char *[]){NULL}}, file));
  rewind(file); group(CALL(fgetgrent)(file)); struct group g, *gg = NULL; NUMBER(CALL(fgetgrent_r)(file, &g, buffer, sizeof buffer, &gg)); group(gg); errno = 0; group(CALL(fgetgrent)(file)); fclose(file);
  file = fopen("shadows", "w+");
  NUMBER(CALL(putspent)(&(struct spwd){"name", "!", 100, 0, 99999, 7, -1, -1, ~0ul}, file));
  fputs("second:*:5:::::1:\n", file); rewind(file); shadow(CALL(fgetspent)(file)); struct spwd s, *ss = NULL; NUMBER(CALL(fgetspent_r)(file, &s, buffer, sizeof buffer, &ss)); shadow(ss); errno = 0; shadow(CALL(fgetspent)(file)); fclose(file);
  shadow(CALL(sgetspent)("text:hash:1:2:3:4:5:6:7")); errno = 0;
}

static void mounts(void) {
  FILE *file = CALL(setmntent)("mounts", "w+");
  NUMBER(CALL(addmntent)(file, &(struct mntent){"/dev/a b", "/mnt\twith", "ext4", "ro,noatime", 1, 2})); NUMBER(CALL(addmntent)(file, &(struct mntent){"none", "/proc", "proc", "defaults", 0, 0}));
  NUMBER(CALL(addmntent)(file, &(struct mntent){"third", "/third", "x", "rw", 0, 0})); rewind(file);
  struct mntent m; mount(CALL(getmntent)(file)); mount(CALL(getmntent_r)(file, &m, buffer, sizeof buffer)); mount(CALL(__getmntent_r)(file, &m, buffer, sizeof buffer)); mount(CALL(getmntent)(file)); NUMBER(CALL(endmntent)(file)); NUMBER(CALL(__endmntent)(CALL(__setmntent)("mounts", "r")));
  NUMBER(CALL(setmntent)("none/none", "r") == NULL);
}

static void networks(void) {
  struct netent *n; struct protoent *p; struct hostent *h; int count = 0;
  CALL(sethostent)(1); for (h = CALL(gethostent)(); h && count < 5; h = CALL(gethostent)(), ++count) names(h->h_name, h->h_aliases); CALL(endhostent)();
  CALL(setnetent)(1); for (count = 0; (n = CALL(getnetent)()) && count < 5; ++count) { names(n->n_name, n->n_aliases); printf("%u\n", n->n_net); } CALL(endnetent)();
  CALL(setprotoent)(1); for (count = 0; (p = CALL(getprotoent)()) && count < 5; ++count) { names(p->p_name, p->p_aliases); printf("%d\n", p->p_proto); } CALL(endprotoent)();
  if ((n = CALL(getnetbyname)("loopback"))) { names(n->n_name, n->n_aliases); if ((n = CALL(getnetbyaddr)(n->n_net, n->n_addrtype))) names(n->n_name, n->n_aliases); }
  NUMBER(CALL(getnetbyname)("no-such-network") == NULL); NUMBER(CALL(getnetbyaddr)(0x01020304, 2) == NULL);
}

static void system_files(void) {
  const char *shell; int count = 0;
  CALL(setusershell)(); while ((shell = CALL(getusershell)()) && count++ < 5) TEXT(shell); CALL(endusershell)();
  struct spwd *s; CALL(setspent)(); for (count = 0; (s = CALL(getspent)()) && count < 2; ++count) TEXT(s->sp_namp); CALL(endspent)(); errno = 0;
  user(CALL(getpwuid)(0)); group(CALL(getgrgid)(0)); user(CALL(getpwnam)("no-such-user")); errno = 0;
}

int main(void) {
  written();
  mounts();
  networks();
  system_files();
  return 0;
}
