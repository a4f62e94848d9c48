// Makes both sections of state.h exist in every executable, with contents in the file: LLD would
// join a section of zeroes with .bss to one mapping over the whole distance.
asm(".pushsection culprit_state,\"aw\",@progbits\n.byte 1\n.popsection\n"
    ".pushsection culprit_state_data,\"aw\",@progbits\n.byte 1\n.popsection\n");
