import { expect, test } from 'vitest'
import { defaultRules, token as byToken } from '@openfountain/core'
import { Moderation } from '../src/moderation.ts'
import type { Actor, Occasion } from '../src/decide/contributor.ts'
import type { Job } from '../src/decide/deciding.ts'
import type { Store } from '../src/store/port.ts'
import { openSqlite } from '../src/store/sqlite/store.ts'
import { Waypoints } from '../src/waypoints.ts'
import { tickingClock } from '@openfountain/testing/registry'

const token = byToken()

function onStore<Member>(of: new (shared: never) => Member, store: Store): Member {
  const terms = { rules: defaultRules, properties: undefined }
  const contribute = (actor: Actor, decide: (occasion: Occasion) => ReturnType<Job<unknown>['decide']>) =>
    store.write({ decide: (at) => decide({ ...terms, actor, at }) })
  return Reflect.construct(of, [{ store, contribute }]) as Member
}

test('a page of duplicates has a next one, also when a fountain of it is deleted while it is read', async () => {
  const store = await openSqlite(':memory:', { clock: tickingClock() })
  const waypoints = onStore(Waypoints, store)
  for (const latitude of [1, 2, 3])
    for (const name of ['Market square', 'Market square'])
      await waypoints.create({ name, latitude, longitude: 5 }, token)
  const { moderation } = store.read
  const read = {
    ...store.read,
    moderation: {
      ...moderation,
      duplicates: async (place: Parameters<typeof moderation.duplicates>[0]) => {
        const found = await moderation.duplicates(place)
        if (place.after === 0) await waypoints.delete(found.pairs[0]?.newer ?? 0, token)
        return found
      },
    },
  }
  const between = new Proxy(store, {
    get(of, name) {
      if (name === 'read') return read
      const member: unknown = Reflect.get(of, name, of)
      return typeof member === 'function' ? (member.bind(of) as unknown) : member
    },
  })
  const queue = onStore(Moderation, between)
  const seen: (number | undefined)[] = []
  let after: number | undefined = 0
  while (after !== undefined) {
    const page = await queue.queue({ kind: 'duplicates', limit: 1, after }, token)
    seen.push(...page.items.map(({ waypoint }) => waypoint?.id))
    after = page.next
  }
  expect(seen).toEqual([4, 6])
  await store.close()
})
