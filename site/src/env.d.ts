import 'astro/client'

declare global {
  /** Constants of Vite's build (build/bundle.ts). */
  interface ImportMetaEnv {
    readonly WITH_API: boolean
  }
}
