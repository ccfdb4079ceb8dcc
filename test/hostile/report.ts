/**
 * For `node --expose-gc --import`: makes a process collect its garbage and log what it holds then, at a signal.
 */
process.on('SIGUSR2', () => {
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  const connections = process.getActiveResourcesInfo().filter((type) => type === 'TCPSocketWrap').length
  console.log(JSON.stringify({ msg: 'report', heap: heapUsed + external, rss, connections }))
})
