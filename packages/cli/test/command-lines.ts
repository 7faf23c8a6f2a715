/** Runs command lines, a JSON array of arrays, one after the other in this process: its start takes longer than most commands. */
import { readFile } from 'node:fs/promises'
import { commands } from '../src/commands/all.ts'
import { run } from '../src/program.ts'

/** Between what two command lines write. */
const end = '\u001E'

for (const args of JSON.parse(await readFile('command-lines.json', 'utf8')) as string[][]) {
  process.stdout.write(`${await run(commands, args)}\n${end}`)
  process.stderr.write(end)
}
