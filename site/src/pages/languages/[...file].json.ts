import type { APIRoute } from 'astro'
import { site } from '../../build/context.ts'
import { labelsOf } from '../../build/labels.ts'
import { View } from '../../build/view.ts'
import { contributeWords } from '../../contribute/words.ts'
import { declaredFields } from '../../custom-fields.ts'

/** The texts that scripts read, in each language: of pages, and with an API those of contributing. */
export function getStaticPaths() {
  const { api, languages, rules, data } = site()
  const custom = declaredFields(data.folder.registry.properties)
  const texts: Readonly<Record<string, (view: View) => unknown>> = {
    '': labelsOf,
    ...(api !== undefined && {
      'contribute/': ({ m }) => contributeWords(m, rules, custom),
    }),
  }
  return Object.entries(texts).flatMap(([folder, textsOf]) =>
    languages.map((language) => ({
      params: { file: `${folder}${language.tag}` },
      props: { texts: textsOf(new View(site(), language)) },
    })),
  )
}

export const GET: APIRoute = ({ props }) => new Response(JSON.stringify(props['texts']))
