/** @module-tag process */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openRegistry, token } from '@openfountain/core'
import { counted } from '@openfountain/testing/effort'
import { listening } from '@openfountain/testing/listening'
import { placed, temporaryFolder } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'

const deliverer = fileURLToPath(new URL('deliverer.ts', import.meta.url))

test('what was sent when the process was killed is sent again, the same, and nothing is missed', async () => {
  const database = path.join(await temporaryFolder(), 'fountains.db')
  const rounds = counted({ quick: 2, all: 20, full: 20 })
  const got: { readonly id: string; readonly body: string }[] = []
  let child: ReturnType<typeof spawn> | undefined
  // Each process is killed after some answers, before it has the next one.
  let answers = 0
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      got.push({ id: String(request.headers['webhook-id']), body })
      if (answers-- > 0) response.writeHead(204).end()
      else child?.kill('SIGKILL')
    })
  })
  const url = `http://127.0.0.1:${await listening(server)}/`
  const names: string[] = []
  {
    await using registry = await openRegistry({ database })
    await registry.webhooks.create({ url }, token())
    for (let index = 0; index < 2 * rounds; index++) {
      names.push(`Fountain ${index}`)
      await placed(registry, { name: `Fountain ${index}`, latitude: index })
    }
  }
  for (let round = 0; round < rounds; round++) {
    answers = 1
    child = spawn(process.execPath, [
      '--conditions=openfountain-source',
      deliverer,
      database,
      String(round * 60),
    ])
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
    expect(signal).toBe('SIGKILL')
  }
  const bodies = Map.groupBy(got, ({ id }) => id)
  expect([...bodies.values()].every((all) => new Set(all.map(({ body }) => body)).size === 1)).toBe(true)
  expect(got.length).toBeGreaterThan(bodies.size)
  const told = [...bodies.values()].map(([first]) => first?.body ?? '')
  const nameOf = (body: string) =>
    (JSON.parse(body) as { data: { waypoint: { name: string } } }).data.waypoint.name
  expect(told.map(nameOf)).toEqual(names.slice(0, told.length))
})
