// Makes the sections of state.h and of externals/variables.h exist in every executable, with
// contents in the file: LLD would join a section of zeroes with .bss to one mapping over the whole
// distance. GNU ld keeps zeroes and contents apart, and places what it sees first.
asm(".pushsection culprit_state,\"aw\",@progbits\n.byte 1\n.popsection\n"
    ".pushsection culprit_state_data,\"aw\",@progbits\n.byte 1\n.popsection\n"
    ".pushsection culprit_library_data,\"aw\",@progbits\n.byte 1\n.popsection\n"
    ".pushsection culprit_library_bss,\"aw\",@nobits\n.skip 8\n.popsection\n"
    ".pushsection culprit_library_bss,\"aw\",@progbits,unique,1\n.byte 1\n.popsection\n");
