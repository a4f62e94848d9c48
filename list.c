void append() {
	p->next = q;
}
