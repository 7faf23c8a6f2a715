import { commands } from './commands/all.ts'
import { run } from './program.ts'

// A reader that stops early, such as `head`, has what it wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

process.exitCode = await run(commands, process.argv.slice(2))
