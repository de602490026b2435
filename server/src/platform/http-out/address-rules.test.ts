import { describe, expect, it } from 'vitest'
import { literalAddress, refusalOfAddress } from './address-rules.ts'

const refused = [
  [
    'loopback',
    ['127.0.0.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '127.1', '::1'],
  ],
  ['this network', ['0.0.0.0', '0', '0.1.2.3', '::']],
  ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '0xa.0.0.1', 'fc00::1', 'fd00:ec2::254']],
  ['link-local and metadata', ['169.254.169.254', '0xa9fea9fe', '2852039166', 'fe80::1', '168.63.129.16']],
  ['carrier-grade NAT and its metadata', ['100.64.0.1', '100.100.100.200']],
  [
    'reserved and documentation',
    ['192.0.0.192', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '240.0.0.1'],
  ],
  ['broadcast and multicast', ['255.255.255.255', '224.0.0.1', 'ff02::1']],
  ['IPv4-mapped IPv6', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '0:0:0:0:0:ffff:a00:1']],
  ['::/96', ['::127.0.0.1', '::8.8.8.8', '::7f00:1']],
  ['NAT64', ['64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1', '64:ff9b:1:ffff::1']],
  ['6to4', ['2002:7f00:1::', '2002:a00:1::1', '2002:808:808::']],
  ['Teredo', ['2001::1', '2001:0:7f00:1::']],
  ['a zone id', ['fe80::1%eth0', '2606:4700::1111%1', '::1%lo']],
  ['IPv6 outside 2000::/3', ['4000::1', '100::1', 'fec0::1', '2001:db8::1', '5f00::1']],
  ['what cannot be read', ['', '1.2.3.4.5', 'example.com', '300.1.1.1']],
] as const

describe('refusalOfAddress', () => {
  for (const [kind, addresses] of refused) {
    it.each(addresses)(`refuses ${kind}: %s`, (address) => {
      expect(refusalOfAddress(address, false)).toBeTypeOf('string')
    })
  }

  it.each(['8.8.8.8', '1.1.1.1', '134744072', '2606:4700:4700::1111', '2a00:1450:4001:82a::200e'])(
    'allows the public address %s',
    (address) => {
      expect(refusalOfAddress(address, false)).toBeUndefined()
    },
  )

  it.each(['127.0.0.1', '::1', '10.1.2.3', '192.168.0.2', 'fd00::1'])('allows %s in development', (address) => {
    expect(refusalOfAddress(address, true)).toBeUndefined()
  })

  it.each(['169.254.169.254', '168.63.129.16', '::ffff:127.0.0.1', '0.0.0.0', '224.0.0.1', 'fe80::1'])(
    'refuses %s even in development',
    (address) => {
      expect(refusalOfAddress(address, true)).toBeTypeOf('string')
    },
  )
})

describe('literalAddress', () => {
  it('gives the canonical address of every IPv4 spelling', () => {
    const spellings = ['127.0.0.1', '2130706433', '0x7f000001', '0177.0.0.1', '0x7f.1', '127.1', '127.0.1']
    expect(spellings.map(literalAddress)).toEqual(spellings.map(() => '127.0.0.1'))
  })

  it('reads a bracketed IPv6 literal and keeps a zone id so that it is refused', () => {
    expect(literalAddress('[::1]')).toBe('::1')
    expect(literalAddress('fe80::1%eth0')).toBe('fe80::1%eth0')
  })

  it('takes a name for a name', () => {
    expect(literalAddress('example.com')).toBeUndefined()
    expect(literalAddress('localhost')).toBeUndefined()
  })
})
