import { describe, expect, it } from 'vitest'
import { buildName, machineOf, sortBuilds } from './builds.ts'

const build = (platform: string, arch: string, url = `https://downloads.example/${platform}-${arch}`) => ({
  platform,
  arch,
  url,
  version: '1.2.3',
  sizeBytes: 1_000,
})

describe('the builds of the application', () => {
  it.each([
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15', 0, 'darwin'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36', 10, 'win32'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 0, 'linux'],
    ['Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36', 5, 'other'],
    ['Mozilla/5.0 (Linux; Android 15; Tab) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36', 5, 'other'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148', 5, 'other'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15', 5, 'other'],
    ['', 0, 'unknown'],
  ] as const)('know the machine of %s, %i points of touch: %s', (userAgent, points, machine) => {
    expect(machineOf(userAgent, points)).toBe(machine)
  })

  it('for this machine come first, each as it came', () => {
    const builds = [build('linux', 'x64'), build('darwin', 'arm64'), build('win32', 'x64'), build('darwin', 'x64')]
    const { here, elsewhere } = sortBuilds(builds, 'darwin')
    expect(here.map(({ arch }) => arch)).toEqual(['arm64', 'x64'])
    expect(elsewhere.map(({ platform }) => platform)).toEqual(['linux', 'win32'])
    expect(sortBuilds(builds, 'other').here).toEqual([])
  })

  it('are offered at addresses of the web only', () => {
    const builds = [build('linux', 'x64', 'javascript:alert(1)'), build('linux', 'x64', 'file:///etc/passwd')]
    expect(sortBuilds(builds, 'linux')).toEqual({ here: [], elsewhere: [] })
  })

  it('are named as people call the machines, also those that came later', () => {
    expect([build('darwin', 'arm64'), build('darwin', 'x64'), build('win32', 'x64')].map(buildName)).toEqual([
      'macOS (Apple silicon)',
      'macOS (Intel)',
      'Windows (64 bit)',
    ])
    expect([build('darwin', 'universal'), build('freebsd', 'riscv64')].map(buildName)).toEqual([
      'macOS',
      'freebsd (riscv64)',
    ])
  })
})
