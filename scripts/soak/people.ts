import { openRegistry } from '@openfountain/core'

/** A contributor of the soak, with their expected XP. */
export interface Person {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  /** Waypoints that they made, which they edit and others verify. */
  readonly made: number[]
  xp: number
}

export interface Contributors {
  readonly people: readonly Person[]
  /** An API token's header, for verifying contributions. */
  readonly token: Readonly<Record<string, string>>
}

const granted = 1000

/** Makes people with sessions, and an API token, in a registry that is not served yet. */
export async function createContributors(database: string, count: number): Promise<Contributors> {
  const registry = await openRegistry({ database, durability: 'relaxed' })
  try {
    const people: Person[] = []
    for (let index = 0; index < count; index++) {
      const { id } = await registry.users.create({ name: `Soaker ${index}`, id: `soaker-${index}` })
      await registry.users.grantXp(id, granted, 'soak')
      const { session } = await registry.sessions.create(id)
      people.push({ id, headers: { cookie: `session=${session}` }, made: [], xp: granted })
    }
    const { token } = await registry.tokens.create({ name: 'soak' })
    return { people, token: { authorization: `Bearer ${token}` } }
  } finally {
    await registry.close()
  }
}
