import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { usage } from './failure.ts'

/** Where the exchange package keeps its column maps. */
const folder = fileURLToPath(new URL('maps/', import.meta.resolve('@openfountain/exchange/package.json')))

/** Names of the column maps that come with openfountain. */
export function readyMaps(): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => path.basename(file, '.json'))
    .toSorted()
}

/**
 * The path of a map: a file of the caller, else the ready one of that name.
 *
 * @throws CommandError usage
 */
export function mapPath(given: string): string {
  if (existsSync(given)) return given
  if (readyMaps().includes(given)) return path.join(folder, `${given}.json`)
  throw usage(
    `--map: there is no file ${JSON.stringify(given)}, and no ready map of that name; there are ${readyMaps().join(', ')}`,
  )
}
