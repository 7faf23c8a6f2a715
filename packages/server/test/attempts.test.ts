import { attempts as allowed } from '@openfountain/core/rules'
import { describe, expect, test } from 'vitest'
import { Attempts } from '../src/attempts.ts'

function counted() {
  let now = 0
  const attempts = new Attempts(() => now)
  return { attempts, pass: (seconds: number) => (now += seconds * 1000) }
}

const times = (count: number, act: () => void) => {
  for (let time = 0; time < count; time++) act()
}

describe('signing in is limited', () => {
  test('for each network and each kind apart, and again after the time that the refusal says', () => {
    const { attempts, pass } = counted()
    const { perClient } = allowed
    const link = (network: string | undefined) => () => attempts.byClient('link', network)
    times(perClient.times, link('192.0.2.0/24'))
    expect(link('192.0.2.0/24')).toThrow(
      expect.objectContaining({
        code: 'RATE_LIMITED',
        details: { limit: 60, windowSeconds: 60, retryAfterSeconds: 1 },
        headers: [['retry-after', '1']],
      }),
    )
    expect(link('198.51.100.0/24')).not.toThrow()
    expect(() => attempts.byClient('passkey', '192.0.2.0/24')).not.toThrow()
    pass(1)
    expect(link('192.0.2.0/24')).not.toThrow()
    expect(link('192.0.2.0/24')).toThrow('Too many')
    // Nobody knows whose they are: a limit would be one for all of them.
    expect(() => times(1000, link(undefined))).not.toThrow()
  })

  test('for a browser that was given a secret by its own tries, whatever others do in its network', () => {
    const { attempts } = counted()
    const network = '192.0.2.0/24'
    const tryWith = (secret: string | undefined) => () => attempts.byBrowserOrClient('code', secret, network)
    attempts.begun('given here')
    const guess = (n: number) => tryWith(`made-up ${n}`)
    times(allowed.perClient.times, guess(0))
    expect(guess(1)).toThrow('Too many')
    expect(tryWith(undefined)).toThrow('Too many')
    expect(() => times(allowed.perBrowser.times, tryWith('given here'))).not.toThrow()
    expect(tryWith('given here')).toThrow('Too many')
  })

  test('for changes of one account', () => {
    const { attempts } = counted()
    times(allowed.perAccount.times, () => attempts.byAccount('ada'))
    expect(() => attempts.byAccount('ada')).toThrow('Too many')
    expect(() => attempts.byAccount('bo')).not.toThrow()
  })
})
