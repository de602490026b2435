// The npm packages that carry Node itself declare `os` and `cpu` as strings; pnpm reads only lists,
// and would otherwise put every platform's binary on every machine.
const list = (value) => (typeof value === 'string' ? [value] : value)

module.exports = {
  hooks: {
    readPackage(pkg) {
      if (/^node-(bin-)?(linux|darwin|win)-/.test(pkg.name)) {
        pkg.os = list(pkg.os)
        pkg.cpu = list(pkg.cpu)
      }
      return pkg
    },
  },
}
