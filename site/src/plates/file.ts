import { readFile } from 'node:fs/promises'
import { h } from 'preact'
import { render } from 'preact-render-to-string'
import { loadLanguages } from '../build/languages.ts'
import { directionOf } from '../direction.ts'
import { shownName, whereabouts, type Nameable } from '../naming.ts'
import { Plates } from './plate.ts'

/** Without the types of Preact, which would bring those of browsers into every program that imports this package. */
export interface PlateFileOptions {
  readonly site: string
  readonly registry: string
  readonly fountains: readonly (Nameable & { readonly id: number })[]
  /** One of `availableLanguages`. */
  readonly language: string
}

export async function plateFile({ fountains, language, ...series }: PlateFileOptions): Promise<string> {
  const [loaded] = await loadLanguages([language])
  if (loaded === undefined) throw new Error(`no texts of ${language}`)
  const { plates: words, amenity } = loaded.messages
  const labels: Readonly<Record<string, string>> = amenity
  const kinds = { tag: language, amenity: (key: string) => labels[key] ?? key }
  const titled = fountains.map((fountain) => ({
    id: fountain.id,
    title: shownName(fountain, kinds),
    where: whereabouts(fountain, language).join(', '),
  }))
  const style = await readFile(new URL('../styles/plates.css', import.meta.url), 'utf8')
  const head = [
    h('meta', { charset: 'utf-8' }),
    h('meta', { name: 'viewport', content: 'width=device-width' }),
    h('title', {}, `${words.title}: ${series.registry}`),
    h('style', { dangerouslySetInnerHTML: { __html: style } }),
  ]
  const page = h(
    'html',
    { lang: language, dir: directionOf(language) },
    h('head', {}, head),
    h('body', {}, h(Plates, { ...series, fountains: titled, words })),
  )
  return `<!doctype html>\n${render(page)}\n`
}
