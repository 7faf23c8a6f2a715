import type { Registry } from '@openfountain/core'
import type { Instance } from './instance.ts'

/** Requests that are under way at the same time. */
const parallel = 8

async function inParallel(ids: readonly string[], work: (id: string) => Promise<void>): Promise<void> {
  const waiting = ids.values()
  const worker = async () => {
    for (const id of waiting) await work(id)
  }
  await Promise.all(Array.from({ length: parallel }, worker))
}

export async function namesOf(instance: Instance, ids: readonly string[]): Promise<[string, string][]> {
  const found: [string, string][] = []
  await inParallel(ids, async (id) => {
    const name = await instance.nameOf(id)
    if (name !== undefined) found.push([id, name])
  })
  return found
}

/**
 * Removes the names of people who have left the instance. Whoever leaves lowers its count, so that as many people there as
 * here are the same ones; only else its list is read.
 *
 * @returns how many
 */
export async function forgetFormer(
  instance: Instance,
  registry: Registry,
  signal?: AbortSignal,
): Promise<number> {
  const { total } = await registry.users.list({ limit: 1 })
  if (total === 0 || (await instance.peopleTotal()) === total) return 0
  const there = new Set<string>()
  for (let before = -1; there.size > before;) {
    signal?.throwIfAborted()
    before = there.size
    for (const id of await instance.peopleAfter(before)) there.add(id)
  }
  const missing: string[] = []
  for await (const id of peopleHere(registry)) if (!there.has(id)) missing.push(id)
  const left: string[] = []
  // The list may have shifted while it was read.
  await inParallel(missing, async (id) => {
    if ((await instance.nameOf(id)) === undefined) left.push(id)
  })
  return registry.mirror.forget(left)
}

async function* peopleHere(registry: Registry): AsyncGenerator<string> {
  const limit = 100
  for (let offset = 0; ; offset += limit) {
    const { users } = await registry.users.list({ limit, offset })
    for (const { id } of users) yield id
    if (users.length < limit) return
  }
}
