import { commands } from './commands/all.ts'
import { run } from './program.ts'

// Somebody who reads only the beginning, such as `head`, has what they wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

process.exitCode = await run(commands, process.argv.slice(2))
