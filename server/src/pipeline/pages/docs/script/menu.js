// The sidebar on small screens, and where we are in it.
const menu = document.querySelector('.menu')
const sidebar = document.querySelector('.sidebar')
menu.hidden = false
menu.addEventListener('click', () => {
  const isOpen = sidebar.classList.toggle('open')
  menu.setAttribute('aria-expanded', String(isOpen))
})
// In the sidebar alone: the page stays where it was opened.
const here = sidebar.querySelector('[aria-current]')
if (here && here.offsetTop + here.offsetHeight > sidebar.clientHeight)
  sidebar.scrollTop = here.offsetTop - sidebar.clientHeight / 2
