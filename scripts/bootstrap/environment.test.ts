import { delimiter } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandEnvironment, installEnvironment } from './environment.mjs'

describe('installEnvironment', () => {
  it("drops npm's own configuration and keeps the rest", () => {
    const inherited = {
      npm_config_prefix: '/x',
      NPM_CONFIG_JSON: 'true',
      npm_config_user_agent: 'npm/11',
      HOME: '/home/a',
    }
    expect(installEnvironment(inherited)).toEqual({ HOME: '/home/a' })
  })

  it.each([
    'npm_config_registry',
    'NPM_CONFIG_REGISTRY',
    'npm_config_@acme:registry',
    'npm_config_//mirror.example/:_authToken',
    'npm_config_https_proxy',
    'npm_config_https-proxy',
    'npm_config_proxy',
    'npm_config_noproxy',
    'npm_config_cafile',
    'npm_config_strict_ssl',
    'npm_config_userconfig',
    'HTTPS_PROXY',
    'NODE_EXTRA_CA_CERTS',
  ])('keeps %s, which the network may need', (name) => {
    expect(installEnvironment({ [name]: 'x' })).toEqual({ [name]: 'x' })
  })
})

describe('commandEnvironment', () => {
  it('puts the folder first on the PATH, once, under the name the system uses', () => {
    const before = ['a', 'bin', 'b'].join(delimiter)
    const after = ['bin', 'a', 'b'].join(delimiter)
    expect(commandEnvironment({ PATH: before }, 'bin')).toEqual({ PATH: after })
    expect(commandEnvironment({ Path: before }, 'bin')).toEqual({ Path: after })
    expect(commandEnvironment({}, 'bin')).toEqual({ PATH: 'bin' })
  })
})
