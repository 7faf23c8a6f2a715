import { h } from 'preact'
import { encode } from 'uqr'

export interface PlateSeries {
  readonly fountains: readonly {
    readonly id: number
    readonly title: string
    /** District and place; empty when unknown. */
    readonly where: string
  }[]
  readonly site: string
  readonly registry: string
  readonly words: { readonly question: string; readonly scan: string }
}

/** Plates to print, of A6 each: name, QR code and address of a fountain. Node reads this file, too, so that it has no TSX. */
export const Plates = ({ fountains, site, registry, words }: PlateSeries) =>
  h(
    'ol',
    { class: 'plates' },
    fountains.map(({ id, title, where }) => {
      const address = `${site}waypoint/${id}/`
      const place =
        where !== '' && !title.includes(where) && h('p', { class: 'plate-where' }, h('bdi', {}, where))
      return h(
        'li',
        { class: 'plate', key: id },
        h('h2', { class: 'plate-title' }, h('bdi', {}, title)),
        place,
        codeOf(address),
        h('p', { class: 'plate-question' }, words.question),
        h('p', {}, words.scan),
        h('p', { class: 'plate-address' }, address.replace(/^https?:\/\//u, '')),
        h('p', { class: 'plate-registry' }, h('bdi', {}, registry), ` · ${id}`),
      )
    }),
  )

/** A QR code of level M (ISO/IEC 18004), with its quiet zone of four modules. */
function codeOf(text: string) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return h(
    'svg',
    {
      class: 'plate-code',
      viewBox: `0 0 ${size} ${size}`,
      'shape-rendering': 'crispEdges',
      'aria-hidden': true,
    },
    h('path', { d: dark.join('') }),
  )
}
