/* Two functions that libstdc++.a and libgcc_eh.a of GCC 12 want of glibc, and that only 2.35 and 2.36 have: with these a wheel runs on 2.34
 * (RHEL 9). Hidden, so that nothing but the module or program that holds them sees them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <features.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* For std::random_device. */
HIDDEN uint32_t arc4random(void) {
  uint32_t value;
  if (getrandom(&value, sizeof value, 0) != (ssize_t)sizeof value) abort(); /* so few bytes come whole, or the kernel is too old */
  return value;
}

#if defined(__GLIBC_PREREQ) && __GLIBC_PREREQ(2, 35)

struct search {
  uintptr_t address;
  struct dl_find_object* found;
};

/* Not 0: this object holds the address, and has the table of frames that unwinding needs. */
static int look_at(struct dl_phdr_info* info, size_t size, void* data) {
  struct search* search = data;
  const ElfW(Phdr)* frames = NULL;
  const ElfW(Phdr)* here = NULL;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* segment = &info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_GNU_EH_FRAME) frames = segment;
    if (segment->p_type == PT_LOAD && search->address >= begin && search->address - begin < segment->p_memsz) here = segment;
  }
  if (here == NULL || frames == NULL) return 0;
  search->found->dlfo_flags = 0;
  search->found->dlfo_map_start = (void*)(info->dlpi_addr + here->p_vaddr);
  search->found->dlfo_map_end = (void*)(info->dlpi_addr + here->p_vaddr + here->p_memsz);
  search->found->dlfo_link_map = NULL;
  search->found->dlfo_eh_frame = (void*)(info->dlpi_addr + frames->p_vaddr);
  return 1;
}

/* For the handling of exceptions, which did the same before there was this call. */
HIDDEN int _dl_find_object(void* address, struct dl_find_object* found) {
  struct search search = {(uintptr_t)address, found};
  return dl_iterate_phdr(look_at, &search) != 0 ? 0 : -1;
}

#endif
