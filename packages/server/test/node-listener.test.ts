import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fetching } from '../src/index.ts'
import { conversation, listenWith } from '@openfountain/testing/server/listening'
import { openStage, type Stage } from '@openfountain/testing/server/stage'

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

/** What is sent to a request, as it is on the wire, until the connection is closed. */
async function sentBy(app: Fetching, head: string): Promise<string> {
  const { port, close } = await listenWith(app)
  try {
    return await conversation(port, `${head}\r\nConnection: close\r\n\r\n`).said
  } finally {
    await close()
  }
}

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: map.example`

describe('a request listener of node:http', () => {
  test('sends headers that somebody adds to a response of the app, and its body once', async () => {
    const withServer: Fetching = {
      fetch: async (request) => {
        const response = await stage.app.fetch(request)
        response.headers.set('server', 'fountains')
        return response
      },
    }
    const sent = await sentBy(withServer, get('/api/stats'))
    expect(sent).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(sent).toMatch(/^server: fountains\r$/im)
    expect(sent.split('"totalWaypoints"')).toHaveLength(2)
  })

  test('responds to a whole URL as to its path, and refuses what is neither', async () => {
    expect(await sentBy(stage.app, get('http://map.example/api/stats'))).toMatch(/^HTTP\/1\.1 200 /)
    expect(await sentBy(stage.app, get('stats'))).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('sends an empty 500 when the app throws or rejects', async () => {
    const throwing: Fetching = {
      fetch: () => {
        throw new Error('secret')
      },
    }
    const rejecting: Fetching = { fetch: () => Promise.reject(new Error('secret')) }
    for (const app of [throwing, rejecting]) {
      const sent = await sentBy(app, get('/api/stats'))
      expect(sent).toMatch(/^HTTP\/1\.1 500 /)
      expect(sent).not.toContain('secret')
    }
  })
})
