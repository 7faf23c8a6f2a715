import { access, constants } from 'node:fs/promises'
import { chromium, type Browser } from 'playwright-core'

export const chromiumFlags = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  // Compositing does without the emulated GPU, which takes half the time; maps still use it.
  '--disable-gpu-compositing',
]

/** Messages of a browser about its own emulated GPU, independent of the page. */
export const ofTheBrowser =
  /GPU stall due to ReadPixels|GL Driver Message|Automatic fallback to software WebGL/u

/** The binary itself: its wrapper script in /usr/bin does not pass on the signal that ends it. */
const shell = '/usr/lib/chromium/chromium-headless-shell'

/** @param options `isWhole` for a browser with windows, which draws maps as visitors’ browsers do, a third slower */
export async function installedChromium({ isWhole = false } = {}): Promise<string | undefined> {
  const given = process.env['CHROMIUM_PATH']
  if (given !== undefined && given !== '') {
    if (await runs(given)) return given
    throw new Error(`CHROMIUM_PATH is ${given}, which cannot be run; point it at a Chromium or unset it`)
  }
  const usual = [
    ...(isWhole ? [] : [shell]),
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    chromium.executablePath(),
  ]
  for (const path of usual) if (await runs(path)) return path
  return undefined
}

/** @param options those of `installedChromium` @throws {Error} with the remedy when there is none */
export async function findChromium(options: { readonly isWhole?: boolean } = {}): Promise<string> {
  const found = await installedChromium(options)
  if (found !== undefined) return found
  throw new Error(
    'No Chromium found: install one (apt-get install chromium-headless-shell fonts-dejavu-core) or set CHROMIUM_PATH',
  )
}

export async function startChromium(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args: [...chromiumFlags, ...more] })
}

async function runs(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
