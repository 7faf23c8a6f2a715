import { writeFileSync } from 'node:fs'

/** Imported before a program: at its end writes the processor time of all its threads to a file, in milliseconds. */
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  writeFileSync(process.env['PROCESSOR_TIME'] ?? '', String((user + system) / 1000))
})
