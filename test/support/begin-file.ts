import { beginFile } from './parts.ts';

// The test runner runs this before each test file.
beginFile();
