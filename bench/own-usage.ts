// Loaded before a program that is measured: leaves what it took in the file that KEEPSAKE_USAGE names.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const file = process.env.KEEPSAKE_USAGE;
  if (file)
    writeFileSync(file, JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, mib: maxRSS / 1024 }));
});
