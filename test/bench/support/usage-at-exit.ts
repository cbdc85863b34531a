import { writeSync } from 'node:fs';

/* Imported before a program: writes what the process used, as JSON, into its fourth descriptor. */

const USAGE_FD = 3;

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  writeSync(USAGE_FD, JSON.stringify({ peakMb: maxRSS / 1024, cpuMs: (userCPUTime + systemCPUTime) / 1_000 }));
});
