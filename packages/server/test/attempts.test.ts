import { attempts as allowed } from '@openfountain/core/rules'
import { expect, test } from 'vitest'
import { Attempts } from '../src/sign-ins.ts'

const times = (count: number, act: () => void) => {
  for (let time = 0; time < count; time++) act()
}

test('signing in is limited for a browser that was given a secret by its own tries, whatever others do in its network', () => {
  const attempts = new Attempts(() => 0)
  const network = '192.0.2.0/24'
  const tryWith = (secret: string | undefined) => () => attempts.byBrowserOrClient('code', secret, network)
  attempts.remember('given here')
  const guess = (n: number) => tryWith(`made-up ${n}`)
  times(allowed.perClient.times, guess(0))
  expect(guess(1)).toThrow('Too many')
  expect(tryWith(undefined)).toThrow('Too many')
  expect(() => times(allowed.perBrowser.times, tryWith('given here'))).not.toThrow()
  expect(tryWith('given here')).toThrow('Too many')
})

test('signing in is limited for changes of one account', () => {
  const attempts = new Attempts(() => 0)
  times(allowed.perAccount.times, () => attempts.byAccount('ada'))
  expect(() => attempts.byAccount('ada')).toThrow('Too many')
  expect(() => attempts.byAccount('bo')).not.toThrow()
})
