-- For bench/soak: creates, and the list in its kinds. Each connection sends about fifty requests a second.
local token, pages = nil, 1000
local count = 0

function init(args)
  token = args[1]
  pages = tonumber(args[2])
  math.randomseed(os.time())
end

function delay()
  return math.random(0, 40)
end

local orders = { "id", "-dataset_name", "captured_date", "user", "-workspace" }
local filters = { "category=Forest", "search=camargue", "in_bbox=-10,35,30,60", "workspace=30", "captured_after=2023-01-01",
  "is_shareable=true" }
local formats = { "json", "geojson" }

function request()
  count = count + 1
  local kind = count % 20
  if kind == 0 then
    return wrk.format("POST", "/api/dataset/", { ["Authorization"] = "Token " .. token, ["Content-Type"] = "application/json" },
      '{"dataset_name":"Soak ' .. count .. '","category":["Forest"],'
           .. '"coordinates":[4.1,43.5],"captured_date":"2024-05-01T10:00:00Z"}')
  elseif kind < 4 then
    return wrk.format("GET", "/api/dataset/?" .. filters[math.random(#filters)])
  elseif kind < 6 then
    return wrk.format("GET", "/api/dataset/?page_size=100&format=" .. formats[math.random(#formats)] .. "&p=" .. math.random(10))
  elseif kind < 8 then
    return wrk.format("GET", "/api/dataset/?p=" .. math.random(pages), { ["Authorization"] = "Token " .. token })
  elseif kind < 10 then
    return wrk.format("GET", "/api/dataset/", { ["Accept-Encoding"] = "gzip" })
  end
  return wrk.format("GET", "/api/dataset/?ordering=" .. orders[math.random(#orders)] .. "&p=" .. math.random(pages))
end

local failed = 0
function response(status, headers, body)
  if status >= 400 then
    failed = failed + 1
    if failed <= 5 then print("status " .. status .. ": " .. body:sub(1, 200)) end
  end
end
