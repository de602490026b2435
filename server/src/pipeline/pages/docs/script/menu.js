// The sidebar on small screens, and where we are in it.
const menu = document.querySelector('.menu')
const sidebar = document.querySelector('.sidebar')
menu.hidden = false
menu.addEventListener('click', () => {
  const isOpen = sidebar.classList.toggle('open')
  menu.setAttribute('aria-expanded', String(isOpen))
})
sidebar.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
