import { describe, expect, it } from 'vitest'
import { oneVersion } from './one-version.ts'

const manifest = (path: string, version?: string) => ({ path, text: JSON.stringify({ name: path, version }) })
const chart = (version: string, appVersion: string) => ({
  path: 'server/packaging/helm/interview-integrity/Chart.yaml',
  text: `apiVersion: v2\nversion: ${version}\nappVersion: ${appVersion}\n`,
})

describe('the version', () => {
  it('is the same in every package and in the chart', () => {
    const phone = { path: 'companion/app.json', text: JSON.stringify({ expo: { version: '1.2.3' } }) }
    const files = [
      manifest('package.json', '1.2.3'),
      manifest('agent/package.json', '1.2.3'),
      phone,
      chart('1.2.3', '1.2.3'),
    ]
    expect(oneVersion.find(files)).toEqual([])
  })

  it('is asked of nothing that states none', () => {
    expect(oneVersion.find([manifest('package.json', '1.2.3'), manifest('test/package.json')])).toEqual([])
    expect(oneVersion.find([manifest('agent/package.json', '1.2.3')])).toEqual([])
  })

  it('is named where it is another one', () => {
    const files = [manifest('package.json', '1.2.3'), manifest('agent/package.json', '1.2.2'), chart('1.2.3', '1.2.4')]
    expect(oneVersion.find(files)).toEqual([
      { path: 'agent/package.json', message: 'has the version 1.2.2, and the whole 1.2.3' },
      { path: chart('', '').path, message: 'says "appVersion: 1.2.4", and the version of the whole is 1.2.3' },
    ])
  })
})
