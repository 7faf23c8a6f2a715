import { writeFileSync } from 'node:fs'

/** Imported before a program: writes the milliseconds of processor time of all its threads to a file when it ends. */
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  writeFileSync(process.env['PROCESSOR_TIME'] ?? '', String((user + system) / 1000))
})
