-- Counts a request by the generic cell rate algorithm, all times in microseconds.
-- KEYS[1]: the time at which a client will have paid. ARGV: the cost of a request, the tolerance.
-- Gives 0 when the request is admitted, otherwise how long to wait.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local cost = tonumber(ARGV[1])
local paid = tonumber(redis.call('GET', KEYS[1]) or '0')
if paid < now then
  paid = now
end
local wait = paid - now - tonumber(ARGV[2])
if wait > 0 then
  return wait
end
paid = paid + cost
-- Whoever has paid is forgotten.
redis.call('SET', KEYS[1], string.format('%.0f', paid), 'PX', math.max(1, math.ceil((paid - now) / 1000)))
return 0
