import type { Registry } from '@openfountain/core'
import { CommandError } from './failure.ts'
import { quoted, registeredName } from './licence-advice.ts'

/** The registry's name of a source. @throws CommandError notFound, with all sources */
export async function sourceNamed(registry: Registry, given: string): Promise<string> {
  const names = (await registry.sources.list()).map(({ name }) => name)
  const name = registeredName(given, names)
  if (names.includes(name)) return name
  const list = names.length === 0 ? 'there are none' : `the sources are ${names.map(quoted).join(', ')}`
  throw new CommandError('notFound', `source ${quoted(given)} not found; ${list}`, 'NOT_FOUND', { names })
}
