import { copyFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openRegistry } from '@openfountain/core'
import { alternate } from '../measurement.ts'
import { figures } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'
import { readById, readWithCookies, Served } from '../served.ts'

const seconds = 2
/** More than one person reads: the session and the user are found each time. */
const people = 1000

/** Adds people who are signed in. @returns the file with the values of their cookies */
async function signedIn(database: string, folder: string): Promise<string> {
  const registry = await openRegistry({ database, durability: 'relaxed' })
  const cookies: string[] = []
  for (let person = 0; person < people; person++) {
    const { id } = await registry.users.create({ name: `Person ${person}` })
    cookies.push((await registry.sessions.create(id, { device: 'Firefox on Linux' })).session)
  }
  await registry.close()
  const file = path.join(folder, 'cookies.json')
  await writeFile(file, JSON.stringify(cookies))
  return file
}

async function measure({ size, rounds, file, folder }: Bench): Promise<Reading[]> {
  const database = path.join(folder, 'people.db')
  await copyFile(await file(size), database)
  const cookies = await signedIn(database, folder)
  const server = await Served.start('whole', database)
  try {
    const compared = await alternate(
      async () => (await readWithCookies(server.port, { cookies, seconds, path: '/api/user' })).perSecond,
      async () => (await readById(server.port, size, seconds)).perSecond,
      rounds,
    )
    const title = 'own profile by cookie'
    return [
      {
        id: title,
        title,
        against: 'a waypoint by id, from the same server',
        goal: { atLeast: 0.8, unit: 'ratio' },
        value: compared.ratio,
        subject: `${figures(compared.subject.median)}/s`,
        yardstick: `${figures(compared.yardstick.median)}/s`,
      },
    ]
  } finally {
    await server.stop()
  }
}

/** GET /api/user, which finds the session, its user and their profile. */
export const readingByCookie: Row = { name: 'cookie', measure }
