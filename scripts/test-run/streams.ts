/** Test files that run together, two at a time. */
export interface Stream {
  readonly name: string
  /** What its files wait for, apart from a processor. */
  readonly waitsFor: string
  /** Chooses vitest's projects. */
  readonly projects: readonly string[]
  readonly niceness: number
}

/**
 * `real` and `server` begin together, `pages` where `real` ends, `packages` where `pages` ends, and `units` last. The tests on real displays watch
 * real sound and film while the others compute, so those go after them: sound that is starved is sound with holes. Their niceness
 * stays below the one that films are given. More than two displays that come up at once fall over each other. With three files of
 * other streams beside them speech was not recognised in time.
 */
export const streams = {
  real: { name: 'real', waitsFor: 'real displays, sound and speech', projects: ['agent-real'], niceness: -6 },
  pages: { name: 'pages', waitsFor: 'browsers', projects: ['*-browser'], niceness: 4 },
  packages: {
    name: 'packages',
    waitsFor: 'processes that it ends and begins again',
    projects: ['!agent-real', '!*-browser', '!server*'],
    niceness: 4,
  },
  units: { name: 'units', waitsFor: 'decoders and databases', projects: ['server-units'], niceness: 4 },
  server: { name: 'server', waitsFor: 'processes that it ends and begins again', projects: ['server'], niceness: 4 },
} satisfies Record<string, Stream>
