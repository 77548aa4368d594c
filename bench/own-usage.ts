// Loaded before a measured program: writes its CPU time and memory to the file named by KEEPSAKE_USAGE.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const file = process.env.KEEPSAKE_USAGE;
  if (file)
    writeFileSync(file, JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, mib: maxRSS / 1024 }));
});
