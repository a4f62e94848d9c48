// The size of a picture is computed in 32 bits and wraps around; filling it runs out of the heap.
// expect: kind=segmentation-fault line=fail name=`picture->pixels[i]`
// args: 65537 65536
// cause: line=cause
// locate: line=first and=fail
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct picture {
  uint32_t width, height;
  uint32_t *pixels;
};

static void *checked(size_t size) {
  void *block = malloc(size);
  if (!block) {
    fprintf(stderr, "no memory\n");
    exit(1);
  }
  return block;
}

static void make(struct picture *picture, uint32_t width, uint32_t height) {
  picture->width = width;
  picture->height = height;
  uint32_t size = width * height * sizeof(uint32_t); // cause: in 64 bits
  picture->pixels = checked(size); // first
}

static void clear(struct picture *picture, uint32_t colour) {
  size_t count = (size_t)picture->width * picture->height;
  for (size_t i = 0; i < count; i++)
    picture->pixels[i] = colour + (uint32_t)i; // fail
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  struct picture picture;
  make(&picture, (uint32_t)atoi(argv[1]), (uint32_t)atoi(argv[2]));
  clear(&picture, 0xff000000u);
  printf("%u\n", picture.pixels[0]);
  free(picture.pixels);
  return 0;
}
