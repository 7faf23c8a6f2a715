/** The first match counts, since many also name the browsers that they imitate. */
const browsers = [
  [/\bEdgA?\/|\bEdgiOS\//u, 'Edge'],
  [/\bOPR\/|\bOPiOS\//u, 'Opera'],
  [/\bSamsungBrowser\//u, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//u, 'Firefox'],
  [/\b(?:Headless)?Chrome\/|\bCriOS\/|\bChromium\//u, 'Chrome'],
  [/\bSafari\//u, 'Safari'],
] as const

const systems = [
  [/\biPhone\b/u, 'iPhone'],
  [/\biPad\b/u, 'iPad'],
  [/\bAndroid\b/u, 'Android'],
  [/\bCrOS\b/u, 'ChromeOS'],
  [/\bWindows\b/u, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/u, 'macOS'],
  [/\bLinux\b|\bX11\b/u, 'Linux'],
] as const

const matchOf = (list: typeof browsers | typeof systems, text: string): string | undefined =>
  list.find(([pattern]) => pattern.test(text))?.[1]

const readAgent = 512

/** A session's label, such as `Firefox on Linux`; undefined for other programs. */
export function deviceOf({ headers }: Request): string | undefined {
  const agent = (headers.get('user-agent') ?? '').slice(0, readAgent)
  const browser = matchOf(browsers, agent)
  const system = matchOf(systems, agent)
  if (browser === undefined || system === undefined) return browser ?? system
  return `${browser} on ${system}`
}
