/** @module-tag browser */
import { hostedSite } from '@openfountain/testing/site/sites'
import { square } from '@openfountain/testing/site/town'
import { visit } from '@openfountain/testing/site/visit'
import { expect, it } from 'vitest'

const host = await hostedSite('town')

const web = 'https://www.openstreetmap.org/directions?engine=fossgis_osrm_foot&route=%3B55.705%2C13.19'
const apple = 'https://maps.apple.com/?daddr=55.705,13.19&dirflg=w'
const geo = 'geo:55.705,13.19?q=55.705,13.19(Market%20Square)'

it.each([
  ['an Android phone', 'Linux; Android 15; Pixel 9', geo],
  ['an iPhone', 'iPhone; CPU iPhone OS 18_5 like Mac OS X', apple],
  ['a Mac, as which an iPad presents itself too', 'Macintosh; Intel Mac OS X 10_15_7', apple],
  ['Windows', 'Windows NT 10.0; Win64; x64', web],
  ['Linux', 'X11; Linux x86_64; rv:142.0', web],
])(
  'on %s directions open what the device has, from the card and from the page',
  async (_, system, expected) => {
    const userAgent = `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko)`
    const search = `?at=${square.latitude},${square.longitude},16&fountain=1`
    const { page } = await visit(`${host.url}${search}`, { userAgent })
    const link = (name: string) => page.locator('#card').getByRole('link', { name }).getAttribute('href')
    expect(await link('Directions')).toBe(expected)
    expect(await link('Google Maps')).toContain('/dir/?api=1&destination=55.705,13.19')
    await page.goto(`${host.url}waypoint/1/`)
    await expect.poll(() => page.locator('a[data-directions]').getAttribute('href')).toBe(expected)
  },
)

it('directions on a fountain’s page lead to a router on the web where there is no script', async () => {
  const { page } = await visit(`${host.url}waypoint/1/`, { javaScriptEnabled: false })
  expect(await page.getByRole('link', { name: 'Directions' }).getAttribute('href')).toBe(web)
})
