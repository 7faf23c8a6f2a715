import { commands } from './commands/all.ts'
import { run } from './program.ts'

// A reader such as `head` may stop early, which is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

process.exitCode = await run(commands, process.argv.slice(2))
