import { readFile, writeFile } from 'node:fs/promises'

/**
 * Prints what is new in a registry since it last ran, and remembers where it was; for cron or a timer:
 *   node bot.ts http://127.0.0.1:3000/api [bot.position]
 */
const [api = 'http://127.0.0.1:3000/api', memory = 'bot.position'] = process.argv.slice(2)

interface Entry {
  readonly id: number
  readonly bubblerId: number
  readonly userId: string
  readonly action: string
  readonly timestamp: string
}

let position = Number(await readFile(memory, 'utf8').catch(() => '0'))
for (;;) {
  const response = await fetch(`${api}/logs?order=asc&after=${position}&limit=100`)
  if (!response.ok)
    throw new Error(`The registry responded with ${response.status}: ${await response.text()}`)
  const { logs } = (await response.json()) as { logs: readonly Entry[] }
  for (const { id, timestamp, userId, action, bubblerId } of logs) {
    console.log(`${timestamp} ${userId} ${action} waypoint ${bubblerId}`)
    // After each one, so that a bot that is stopped repeats one entry at most.
    await writeFile(memory, String((position = id)))
  }
  if (logs.length < 100) break
}
