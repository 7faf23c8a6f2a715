import { usage } from './failure.ts'
import { type Given, text } from './options.ts'

/** The public address, and the path of the site below it. */
export const addressOptions = {
  'public-url': text(
    'URL',
    'Where browsers reach the registry, such as https://fountains.example; default http://localhost:3000',
    { env: 'OPENFOUNTAIN_PUBLIC_URL' },
  ),
  'site-base': text('PATH', 'The path under which the site was built, such as /map; default /', {
    env: 'OPENFOUNTAIN_SITE_BASE',
  }),
}

export type AddressSettings = Partial<Given<typeof addressOptions>>

/** The default address of `serve`, by name because passkeys need one. */
const defaultAddress = 'http://localhost:3000'

/** The address of a website. @throws CommandError usage; the text may contain a password, so that it is not repeated */
export function siteAddressOf(publicUrl: string): URL {
  const url = URL.parse(publicUrl)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  const isAlone =
    url?.pathname === '/' && [url.username, url.password, url.search, url.hash].every((part) => part === '')
  if (url === null || !isWeb || !isAlone)
    throw usage(
      '--public-url must be scheme, host and port of the site alone: write it as https://host or https://host:port',
    )
  return url
}

/** The address of a page of the site; without a path that of the home page. @throws CommandError usage */
export function pageAddress(
  { 'public-url': publicUrl = defaultAddress, 'site-base': base = '' }: AddressSettings,
  ...path: readonly string[]
): URL {
  const folders = base.split('/').filter((name) => name !== '')
  return new URL([...folders, ...path, ''].join('/'), `${siteAddressOf(publicUrl).origin}/`)
}

/** The address of a sign-in link. The secret is in the fragment, which browsers do not send. @throws CommandError usage */
export function signInLink(settings: AddressSettings, secret: string): string {
  const page = pageAddress(settings, 'sign-in')
  page.hash = secret
  return page.href
}
