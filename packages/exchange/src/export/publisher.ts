import type { PropertiesSchema } from '@openfountain/core'

/** The publisher, and the licence. */
export interface Publisher {
  /** The registry's name. */
  readonly name: string
  readonly author: string
  /** The licence that contributions to this registry carry: an SPDX id or a name. */
  readonly license: string
  /** The licence of the files, where contributions are published under it by written consent. */
  readonly consentsTo?: string
  /** The custom fields of its waypoints, as it declares them. */
  readonly properties?: PropertiesSchema | undefined
}
