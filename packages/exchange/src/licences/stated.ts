import { openStreetMap } from '@openfountain/core/internal'
import { oneSpelling } from './licence.ts'

/**
 * Whom to name for a file by its own copyright line, under the licence that its importer gives. Known is the line of the
 * Overpass API, which overpass turbo has too: "The data included in this document is from www.openstreetmap.org. The
 * data is made available under ODbL."
 */
export function statedAttribution(copyright = '', license = ''): string | undefined {
  const isOverpass = /\bopenstreetmap\.org\b/iu.test(copyright) && /\bodbl\b/iu.test(copyright)
  return isOverpass && oneSpelling(license) === 'ODbL-1.0' ? openStreetMap.name : undefined
}
