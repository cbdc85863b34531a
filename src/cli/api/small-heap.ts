import { setFlagsFromString } from 'node:v8';

/*
 * To be imported before anything else, while the heap is still small: V8 lets the young part of a heap grow with what passes
 * through, by 60 MB for a long list, and does not take it back. Rows that pass through need none of it.
 */
setFlagsFromString('--optimize-for-size');
